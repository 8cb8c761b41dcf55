import t from 'tap'
import { cutProjector } from '../prove/crashes/checkpoint-mutants.ts'

const cut = await cutProjector(t)

t.test('a projector interrupted at any flush applies each event once', async (t) => {
  const { cases, wrong } = await cut('together')
  t.ok(cases >= 10, `${cases} cases`)
  t.equal(wrong, 0)
})

t.test("a checkpoint outside its rows' transaction loses or duplicates events", async (t) => {
  const early = await cut('checkpoint first')
  t.ok(early.wrong > 0, `${early.wrong} of ${early.cases} cases lose events`)
  const late = await cut('rows first')
  t.ok(late.wrong > 0, `${late.wrong} of ${late.cases} cases apply events twice`)
})
