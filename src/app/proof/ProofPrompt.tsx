import { useEffect, useState } from 'react';
import { setProofPrompt } from '../session/proof';
import { lazyComponent } from '../states/lazyComponent';

const ProofDialog = lazyComponent(() => import('./ProofDialog').then((module) => ({ default: module.ProofDialog })));

/** Shows the dialog to confirm the user's identity when a request requires it. */
export function ProofPrompt() {
  const [answer, setAnswer] = useState<((proven: boolean) => void) | null>(null);
  useEffect(() => setProofPrompt(() => new Promise<boolean>((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  const close = (isProven: boolean) => {
    setAnswer(null);
    answer(isProven);
  };
  return <ProofDialog onClose={close} />;
}
