/**
 * The environment for PostgreSQL's programs: that of this process, without variables that would change their behavior
 * (PGPORT, a locale, options for Node).
 */
export function environment(): NodeJS.ProcessEnv {
  const keptVariables = Object.entries(process.env).filter(
    ([name]) => !/^(PG|LC_|LANG$|LANGUAGE$|NODE_OPTIONS$)/.test(name),
  );
  return Object.fromEntries(keptVariables);
}
