import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import demoSchema from '../../schemas/demo.schema.json' with { type: 'json' };
import startSchema from '../../schemas/start.schema.json' with { type: 'json' };
import productSchema from '../../schemas/product.schema.json' with { type: 'json' };
import { checkSource } from '../engine/check/check-schema';
import { JsonError, parseJson } from '../engine/check/parse-json';
import { closestPath } from '../engine/check/read-definitions';
import { demoDataOf, type DemoFile } from './accounts/demo-file';
import type { Product, ProductCode, StartFile } from './program';
import { SettingsError } from './settings/settings-error';

/** The content of a file `product.json`. */
interface ProductFile {
  readonly name?: string;
  readonly title?: string;
}

const SETTING = 'ASSAY_PRODUCT';

/**
 * Reads the product in a folder: `resources/` in it, and perhaps `product.json`, `demo.json` and `start.json`, besides its
 * `code`. Throws a SettingsError that says what is wrong with the folder or a file.
 */
export function readProduct(folder: string, code?: ProductCode): Product {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingsError(SETTING, `there is no folder ${folder}`);
  const resources = join(folder, 'resources');
  if (!statSync(resources, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingsError(SETTING, `${folder} has no folder resources/ with the definitions of a product`);
  const file = ['index.ts', 'index.js', 'index.mjs'].find((name) => existsSync(join(folder, name)));
  if (file !== undefined && code === undefined)
    throw new SettingsError(
      SETTING,
      `${folder} has code in ${file}, which this build of the program does not contain. Start it with npm start -- --product FOLDER, or make the build with npm run build -- --product FOLDER`,
    );
  const stem = basename(resolve(folder));
  const productFile = readProductPart<ProductFile>(join(folder, 'product.json'), productSchema);
  const { name = stem, title = stem.charAt(0).toUpperCase() + stem.slice(1) } = productFile ?? {};
  const demo = readProductPart<DemoFile>(join(folder, 'demo.json'), demoSchema);
  const start = readProductPart<StartFile>(join(folder, 'start.json'), startSchema);
  return {
    name,
    title,
    folder: resources,
    hooks: {},
    requiredFields: {},
    authorCopies: {},
    registerRoutes: () => undefined,
    ...code,
    ...(start && { start }),
    ...(demo && { demoData: demoDataOf(demo) }),
  };
}

/**
 * A JSON file of a product, checked against its schema; undefined if there is none. Throws a SettingsError that names
 * the line.
 */
function readProductPart<T>(file: string, schema: object): T | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { value, lines } = parseJson(readFileSync(file, 'utf8'));
    const validate = new Ajv({ allErrors: true, verbose: true, formats: { email: true } }).compile<T>(schema);
    const [problem] = checkSource(value, (source) => (validate(source) ? [] : [...(validate.errors ?? [])]));
    if (!problem) return value as T;
    const { path, message } = problem;
    const line = lines.get(closestPath(path, lines)) ?? 1;
    throw new SettingsError(SETTING, `${file}:${line}${path && ` ${path}`} ${message}`);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new SettingsError(SETTING, `${file}:${error.line} ${error.message}`);
  }
}
