/** Imports a module of the packages installed here. */
export const load = (name) => import(name)
