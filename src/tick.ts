/**
 * Batches work: handles all items of one tick of the event loop together, at the end of that tick. Work in a row finds
 * its code and data in the processor's caches, which other work in between would evict.
 *
 * Returns a function that adds an item. `work` receives the items in order of arrival and must not throw.
 */
export function oncePerTick<Item>(work: (items: readonly Item[]) => void): (item: Item) => void {
  let waiting: Item[] = []
  function workOff(): void {
    const items = waiting
    waiting = []
    work(items)
  }
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(workOff)
  }
}
