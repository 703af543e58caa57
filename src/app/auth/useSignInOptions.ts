import { useEffect, useState } from 'react';
import { email as checkEmail } from './rules';
import { fetchSignInOptions, type SignInOptions } from './signOnApi';

/** Milliseconds without typing after which the address is looked up. */
const debounceDelay = 250;
const defaultOptions: SignInOptions = { single_sign_on: false, installation: null, company: null, password: true };

/** The sign-in options of a typed address, requested for its domain once it looks like an address. */
export function useSignInOptions(typed: string): SignInOptions {
  const address = checkEmail(typed, {}) === undefined ? typed.trim().toLowerCase() : '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [ways, setWays] = useState(defaultOptions);
  useEffect(() => {
    const leaving = new AbortController();
    // Only the domain is sent, not the address, before the form is submitted.
    const ask = () =>
      fetchSignInOptions(domain && `somebody@${domain}`, leaving.signal).then(
        setWays,
        // Without a response the page keeps its default options; the next call reports the error.
        () => {},
      );
    const timer = setTimeout(() => void ask(), domain ? debounceDelay : 0);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [domain]);
  return ways;
}
