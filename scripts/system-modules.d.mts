/** The option `define` of Vite: the names of the system's definitions. */
export function defineSystemModules(): { SYSTEM_MODULES: string };
