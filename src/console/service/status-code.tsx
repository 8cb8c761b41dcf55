/** An HTTP status, colored by what it means for the client. */
export function StatusCode({ value }: { readonly value: number }) {
  const tone = value < 400 ? 'good' : value < 500 ? 'warn' : 'bad'
  return (
    <span className="badge" data-tone={tone}>
      {value}
    </span>
  )
}
