/**
 * The part of pdfmake that is used here. Its published types would add browser types to the whole
 * project.
 */
declare module 'pdfmake' {
  type Files = { normal: string; bold: string; italics: string; bolditalics: string }
  const pdfmake: {
    setFonts(fonts: { readonly [name: string]: Files }): void
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void
    setLocalAccessPolicy(isAllowed: (path: string) => boolean): void
    setTableLayouts(layouts: object): void
    createPdf(definition: object): { getBuffer(): Promise<Buffer> }
  }
  export default pdfmake
}
