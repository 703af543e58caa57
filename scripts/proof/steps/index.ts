import type { ProofStep } from '../proof';
import { backup } from './backup';
import { companies } from './companies';
import { failover } from './failover';
import { imports } from './imports';
import { kills } from './kills';
import { people } from './people';
import { rollingRestart } from './rolling';

/** All steps, in the order in which they run. */
export const steps: Readonly<Record<string, ProofStep>> = {
  kills,
  imports,
  rolling: rollingRestart,
  companies,
  people,
  backup,
  failover,
};
