import { useEffect, useState } from 'react';
import { askForProof } from '../session/proof';
import { lazyPart } from '../states/lazyPart';

const ProofDialog = lazyPart(() => import('./ProofDialog').then((module) => ({ default: module.ProofDialog })));

/** Shows the dialog to confirm the user's identity when a request requires it. */
export function ProofAsker() {
  const [answer, setAnswer] = useState<((proven: boolean) => void) | null>(null);
  useEffect(() => askForProof(() => new Promise<boolean>((done) => setAnswer(() => done))), []);
  if (!answer) return null;
  const close = (proven: boolean) => {
    setAnswer(null);
    answer(proven);
  };
  return <ProofDialog onClose={close} />;
}
