import pino, { type Logger } from 'pino';
import { product as qaProduct } from '../../src/product';
import type { Product } from '../../src/server/program';
import { readSettings } from '../../src/server/settings/settings';
import { startProgram } from '../../src/server/start-program';
import { product as fixture } from '../fixtures/product';

/** Starts a program on a database with demo data, which is created if needed; with the definitions of a folder and settings from `env`. */
export function startOnDemo(
  url: string,
  { product = qaProduct, folder = product.folder, env = {}, log = pino({ level: 'silent' }), signal }: DemoOptions = {},
): ReturnType<typeof startProgram> {
  const settings = readSettings({ DATABASE_URL: url, DEMO: '1', LOG_LEVEL: 'silent', ...env });
  return startProgram(settings, {
    product: { ...product, folder },
    log,
    ...(signal && { signal }),
  });
}

/** The same with the fixture product, on which the tests of the engine run. */
export function startOnFixture(url: string, options: DemoOptions = {}): ReturnType<typeof startProgram> {
  return startOnDemo(url, { product: fixture, ...options });
}

export interface DemoOptions {
  readonly product?: Product;
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Logger;
  readonly signal?: AbortSignal;
}
