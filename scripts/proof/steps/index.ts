import type { ProofStep } from '../proof';
import { backup } from './backup';
import { failover } from './failover';
import { kills } from './kills';

/** All steps, in the order in which they run. */
export const steps: Readonly<Record<string, ProofStep>> = { kills, backup, failover };
