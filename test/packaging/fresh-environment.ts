import { delimiter } from 'node:path'

/** This process's environment without what the npm that started it has put there. */
export function freshEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(registry|cache|userconfig))|NODE_|INIT_CWD)/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}
