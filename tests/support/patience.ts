import { vi } from 'vitest';

// However busy the machine is: only what never comes is a failure.
const patience = { timeout: 60_000 };
const { waitFor, waitUntil } = vi;
vi.waitFor = (condition, options) => waitFor(condition, { ...patience, ...(options as object) });
vi.waitUntil = (condition, options) => waitUntil(condition, { ...patience, ...(options as object) });
