import { sql } from 'kysely';
import type { Migration } from './migration';
import { renameKeys } from './rename-keys';

/** The texts of definitions: those in force, their versions, what was shipped with them, and drafts as they were typed. */
const storedTexts = {
  modules: ['source', 'base'],
  module_versions: ['source'],
  module_drafts: ['base', 'source', 'text'],
};

/** Gives the keys of stored definitions their present names. */
export const keyNames: Migration = {
  name: '0135-key-names',
  sql: '',
  rewrite: async (queries) => {
    for (const [table, columns] of Object.entries(storedTexts))
      for (const column of columns) {
        const [stored, name] = [sql.id('assay', table), sql.id(column)];
        const { rows } = await sql<{ row: string; text: string }>`
          select ctid::text as row, ${name} as text from ${stored} where ${name} is not null`.execute(queries);
        for (const { row, text } of rows) {
          const renamed = renameKeys(text);
          if (renamed !== text)
            await sql`update ${stored} set ${name} = ${renamed} where ctid = ${row}::tid`.execute(queries);
        }
      }
  },
};
