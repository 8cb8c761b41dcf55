import { Button, FileButton } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import IconFileUpload from '@tabler/icons-react/icons/IconFileUpload'
import { saveFile } from '../parts/save-file.ts'

type FileProps = {
  readonly isChosen: boolean
  /** Opening a file is what to do next. */
  readonly isPrimary: boolean
  readonly onChoose: (file: File) => void
  /** A file to fill in. */
  readonly template: { readonly name: string; readonly text: string }
}

/** Opens a CSV file of a spreadsheet, or saves one to fill in. */
export function CsvFileButtons({ isChosen, isPrimary, onChoose, template }: FileProps) {
  return (
    <div className="actions">
      <FileButton
        accept=".csv,.tsv,.txt,text/csv"
        onChange={(file) => {
          if (file !== null) onChoose(file)
        }}
      >
        {(props) => (
          <Button
            {...props}
            variant={isPrimary ? 'filled' : 'default'}
            leftSection={<IconFileUpload size={15} />}
          >
            {isChosen ? 'Choose another file…' : 'Choose a CSV file…'}
          </Button>
        )}
      </FileButton>
      <Button
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => saveFile(template.name, 'text/csv', template.text)}
      >
        Template
      </Button>
    </div>
  )
}
