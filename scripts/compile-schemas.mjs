// Compiles the JSON Schemas of definitions into the server: compiling them takes a quarter of a second. Products whose
// field types change a schema compile theirs when they start.
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { runnerImport } from 'vite';

/** The plugin of the server's build that fills `compiled-schemas.ts`. */
export function compileSchemas() {
  return {
    name: 'compile-schemas',
    async load(id) {
      if (!id.endsWith('src/server/definitions/compiled-schemas.ts')) return null;
      const { module } = await runnerImport('./src/server/definitions/source-validator.ts');
      const field = module.fieldSchema();
      const ajv = new Ajv({ ...module.schemaOptions, code: { source: true } });
      const code = standaloneCode.default(ajv, module.addDefinitionSchemas(ajv, field));
      this.emitFile({ type: 'asset', fileName: 'compiled-schemas.cjs', source: code });
      // The importing file lies in the folder of the build, or in one within it.
      return `import { existsSync } from 'node:fs';
        const files = ['.', '..'].map((folder) => new URL(folder + '/compiled-schemas.cjs', import.meta.url));
        export const compiledSchemas = { field: ${JSON.stringify(JSON.stringify(field))}, file: files.find(existsSync).href };`;
    },
  };
}
