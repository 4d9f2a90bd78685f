/** Parts of the program that are loaded when they are first needed. */

/**
 * Returns a function that provides what `load` resolves to, and loads it with its first call. Calls that come meanwhile
 * share that load. A load that fails is an error of these calls, and the next call tries again.
 */
export function onDemand<Part extends object>(load: () => Promise<Part>): () => Part | Promise<Part> {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined
  const start = async (): Promise<Part> => {
    try {
      loaded = await load()
      return loaded
    } finally {
      loading = undefined
    }
  }
  return () => {
    if (loaded !== undefined) return loaded
    loading ??= start()
    return loading
  }
}
