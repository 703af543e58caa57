/**
 * The environment for PostgreSQL's programs: this process's, without what would change their behaviour behind our back
 * (PGPORT, a locale, options for Node).
 */
export function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG$|LANGUAGE$|NODE_OPTIONS$)/.test(name));
  return Object.fromEntries(kept);
}
