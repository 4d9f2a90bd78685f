import { useEffect } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { useSaid } from '../kit/said.tsx'
import { isBegun } from './begun.ts'
import { read } from './json.ts'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'

/** Everything that is stored about the person, as a file. */
export function DataExport() {
  const text = words().profile.data
  const task = useTask()
  const [said, say] = useSaid()

  const download = () =>
    task.run(
      () => read<unknown>('/Account/Self/export', { task: 'export' }),
      (data) => {
        saveFile(`${text.file}.json`, 'application/json', `${JSON.stringify(data, null, 2)}\n`)
        say(text.downloaded)
      },
    )
  useEffect(() => {
    if (isBegun('export')) void download()
  }, [])

  return (
    <Section id="data" title={text.title}>
      <p class="quiet">{text.lead}</p>
      {said}
      <TaskNotice task={task} />
      <Button busy={task.busy} onClick={download}>
        {text.download}
      </Button>
    </Section>
  )
}

/** Gives the visitor a file to keep. */
function saveFile(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
