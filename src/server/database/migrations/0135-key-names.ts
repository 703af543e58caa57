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
        const [tableSql, name] = [sql.id('assay', table), sql.id(column)];
        const { rows } = await sql<{ row: string; text: string }>`
          select ctid::text as row, ${name} as text from ${tableSql} where ${name} is not null`.execute(queries);
        for (const { row, text } of rows) {
          const renamedText = renameKeys(text);
          if (renamedText !== text)
            await sql`update ${tableSql} set ${name} = ${renamedText} where ctid = ${row}::tid`.execute(queries);
        }
      }
  },
};
