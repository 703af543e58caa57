import { vi } from 'vitest';

// Generous, so that waiting does not fail on a busy machine.
const patience = { timeout: 60_000 };
const { waitFor, waitUntil } = vi;
vi.waitFor = (condition, options) => waitFor(condition, { ...patience, ...(options as object) });
vi.waitUntil = (condition, options) => waitUntil(condition, { ...patience, ...(options as object) });
