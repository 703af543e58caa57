import type { I18nProvider } from 'react-admin';
import { useMemo, useSyncExternalStore } from 'react';

const english: Record<string, string> = {
  'ra.action.undo': 'Undo',
  'ra.action.close': 'Close',
  'ra.message.unsaved_changes': "Some of your changes weren't saved. Are you sure you want to leave?",
  'ra.message.error': 'Something went wrong.',
  'ra.notification.http_error': 'The server did not respond.',
  'ra.notification.item_doesnt_exist': 'This record does not exist.',
  'ra.notification.data_provider_error': 'Something went wrong.',
  'ra.notification.created': 'Added Successfully',
  'ra.notification.updated': 'Updated Successfully',
  'ra.notification.deleted': 'Deleted Successfully',
  'ra.auth.auth_check_error': 'Please sign in to continue.',
  'ra.page.error': 'Something went wrong',
};

/** The messages of react-admin's own components, once one of these has been shown. */
let stockProvider: I18nProvider | undefined;
let isLoading = false;
const listeners = new Set<() => void>();

async function loadStockMessages(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  try {
    const [{ default: createProvider }, { default: messages }] = await Promise.all([
      import('ra-i18n-polyglot'),
      import('ra-language-english'),
    ]);
    stockProvider = createProvider(() => messages, 'en', { allowMissing: true });
    for (const listener of listeners) listener();
  } finally {
    isLoading = false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * The texts of react-admin's hooks and components. The application itself shows few of them; those of react-admin's own
 * components are loaded when the first is shown. An unknown key is shown as it is.
 *
 * @example <CoreAdminContext i18nProvider={useMessages()}>{children}</CoreAdminContext>
 */
export function useMessages(): I18nProvider {
  const stock = useSyncExternalStore(subscribe, () => stockProvider);
  return useMemo(
    () => ({
      translate: (key, options: { _?: string } = {}) => {
        if (english[key] !== undefined) return english[key];
        if (stock) return stock.translate(key, options);
        if (!key.startsWith('ra.')) return options._ ?? key;
        // The controllers of single records compose titles of pages, which the application does not show.
        if (!key.startsWith('ra.page.')) loadStockMessages().catch(() => undefined);
        return options._ ?? '';
      },
      changeLocale: () => Promise.resolve(),
      getLocale: () => 'en',
    }),
    [stock],
  );
}
