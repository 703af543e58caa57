import { useState } from 'react';
import { ApiError } from '../../session/api';
import { submitSecondStep } from './secondStepApi';

type StepResponse = Awaited<ReturnType<typeof submitSecondStep>>;

interface SecondStepOptions {
  challenge: string;
  /** No attempts are left: the sign-in starts over, with the reason. */
  onBack: (message: string) => void;
  /** The step succeeded. */
  onPassed: (answer: StepResponse) => void;
}

/** The state of a second step: the typed digits, whether they are being sent, and the error. */
export function useSecondStep({ challenge, onBack, onPassed }: SecondStepOptions) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const send = async (find: () => Promise<Record<string, unknown>>) => {
    setIsBusy(true);
    setError('');
    try {
      const answer = await submitSecondStep({ challenge, ...(await find()) });
      if (answer.status) return onPassed(answer);
      if (answer.tries_left === 0) return onBack(answer.message);
      setError(answer.message);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(Object.values(cause.errors)[0] ?? cause.message);
    }
    setCode('');
    setIsBusy(false);
  };
  return { code, setCode, error, setError, busy: isBusy, send };
}
