import { useEffect, useState } from 'react';
import { email as checkEmail } from './rules';
import { fetchSignInOptions, type SignInOptions } from './signOnApi';

/** Milliseconds without typing after which the address is looked up. */
const debounceDelay = 250;
const defaultOptions: SignInOptions = { single_sign_on: false, installation: null, company: null, password: true };

/** The sign-in options of a typed address, requested for its domain once it looks like an address. */
export function useSignInOptions(typedEmail: string): SignInOptions {
  const address = checkEmail(typedEmail, {}) === undefined ? typedEmail.trim().toLowerCase() : '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [options, setOptions] = useState(defaultOptions);
  useEffect(() => {
    const abortController = new AbortController();
    // Only the domain is sent, not the address, before the form is submitted.
    const ask = () =>
      fetchSignInOptions(domain && `somebody@${domain}`, abortController.signal).then(
        setOptions,
        // Without a response the page keeps its default options; the next call reports the error.
        () => {},
      );
    const timer = setTimeout(() => void ask(), domain ? debounceDelay : 0);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [domain]);
  return options;
}
