import { vi } from 'vitest';

// Generous, so that waiting does not fail on a busy machine.
const waitTimeout = { timeout: 60_000 };
const { waitFor, waitUntil } = vi;
vi.waitFor = (condition, options) => waitFor(condition, { ...waitTimeout, ...(options as object) });
vi.waitUntil = (condition, options) => waitUntil(condition, { ...waitTimeout, ...(options as object) });
