/** Saves generated content as a download. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** How long a new tab takes to load a file from this page's memory. */
const loadedWithinMs = 60_000

/** Shows a PDF in a new tab, ready to be printed. Saves it if the browser cannot show it there. */
export function openFile(name: string, type: string, content: BlobPart): void {
  if (type !== 'application/pdf' || !navigator.pdfViewerEnabled) {
    saveFile(name, type, content)
    return
  }
  const url = URL.createObjectURL(new Blob([content], { type }))
  const tab = window.open(url, '_blank')
  if (tab === null) saveFile(name, type, content)
  setTimeout(() => URL.revokeObjectURL(url), loadedWithinMs)
}
