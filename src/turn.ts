/**
 * Does the same work for all that one turn of the event loop brings, at the end of that turn. Work that is done in a row
 * finds its code and data in the processor's caches; between other work it finds them full of something else.
 *
 * Returns how to hand an item over. `work` gets them in the order they came and must not throw.
 */
export function oncePerTurn<Item>(work: (items: readonly Item[]) => void): (item: Item) => void {
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
