import type { Program } from '../program';

/** An address within the application: always below PUBLIC_URL. */
export function appLink({ settings }: Pick<Program, 'settings'>, path: string, code?: string): string {
  const link = new URL(settings.publicUrl);
  link.pathname = path;
  if (code !== undefined) link.searchParams.set('verification_code', code);
  return link.href;
}
