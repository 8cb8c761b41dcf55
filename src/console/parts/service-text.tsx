/** A text that comes from the service, which writes English. Screen readers then read it as such. */
export function ServiceText({ children }: { readonly children: string }) {
  return <span lang="en">{children}</span>
}
