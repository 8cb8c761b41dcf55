import t from 'tap'
import { type Loaded, type Page, renewed, rowsOf } from '../../src/console/lists/loaded-pages.ts'

type Row = { readonly id: string; readonly created_at: string }

const created_at = '2026-03-01T12:00:00.000Z'
const page = (ids: string, next_cursor: string | null): Page<Row> => ({
  data: [...ids].map((id) => ({ id, created_at })),
  has_more: next_cursor !== null,
  next_cursor,
})
const loaded = (...pages: Page<Row>[]): Loaded<Row> => ({
  pages,
  pageParams: [null, ...pages.slice(0, -1).map((one) => one.next_cursor)],
})
const idsOf = ({ pages }: Loaded<Row>) =>
  rowsOf({ pages })
    .map(({ id }) => id)
    .join('')

t.test('a reloaded page of a list replaces the rows it covers', async (t) => {
  const before = loaded(page('bdf', 'f'), page('hjl', 'l'), page('npr', 'r'))
  const removed = renewed(before, 1, page('hln', 'n'), 'oldest')
  t.equal(idsOf(removed), 'bdfhlnpr', 'removed rows are gone, and rows that moved up appear once')
  t.same(removed.pageParams, [null, 'f', 'l'])

  const added = renewed(before, 1, page('hij', 'j'), 'oldest')
  t.equal(idsOf(added), 'bdfhijlnpr', 'rows beyond its range are still there')
  t.same(added.pageParams, [null, 'f', 'j'], 'and are read again from its end')

  const newest = renewed(loaded(page('rpn', 'n')), 0, page('tsr', 'r'), 'newest')
  t.equal(idsOf(newest), 'tsrpn')
  t.same(newest.pageParams, [null, 'r'])
  t.equal(newest.pages.at(-1)?.next_cursor, 'n', 'the list continues where it ended')

  const last = renewed(before, 1, page('h', null), 'oldest')
  t.equal(idsOf(last), 'bdfh', 'nothing comes after the last page')
  t.equal(idsOf(renewed(before, 0, page('', null), 'oldest')), '')
})
