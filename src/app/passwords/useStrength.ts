import { useEffect, useState } from 'react';
import type { PasswordStrength, measurePassword } from '../../engine/passwords/strength';

type Measure = typeof measurePassword;

let measure: Measure | undefined;
let loading: Promise<Measure | undefined> | undefined;

/**
 * Loads the strength estimator (some 220 kB) once a password is typed. If that fails, only the server validates
 * strength.
 */
function loadMeasure(): Promise<Measure | undefined> {
  loading ??= import('../../engine/passwords/strength').then(
    (module) => (measure = module.measurePassword),
    () => (loading = undefined),
  );
  return loading;
}

/** Why a password is too easy to guess, as a message; undefined if it is not, or until the estimator has loaded. */
export function strengthProblem(password: string, personal: readonly string[]): string | undefined {
  return measure?.(password, personal).problem;
}

/** A password's strength; undefined for an empty one and until the estimator has loaded. */
export function useStrength(password: string, personal: readonly string[]): PasswordStrength | undefined {
  const [isReady, setIsReady] = useState(measure !== undefined);
  const isTyped = password !== '';
  useEffect(() => {
    if (!isTyped || isReady) return;
    let isMounted = true;
    void loadMeasure().then((measurement) => isMounted && measurement && setIsReady(true));
    return () => {
      isMounted = false;
    };
  }, [isTyped, isReady]);
  return isReady && isTyped ? measure?.(password, personal) : undefined;
}
