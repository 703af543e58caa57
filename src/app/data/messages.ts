import type { I18nProvider } from 'react-admin';

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

let stockProvider: I18nProvider | undefined;

/** Loads the messages of react-admin's own components, which the application itself does not show. */
export async function loadStockMessages(): Promise<void> {
  const [{ default: createProvider }, { default: messages }] = await Promise.all([
    import('ra-i18n-polyglot'),
    import('ra-language-english'),
  ]);
  stockProvider ??= createProvider(() => messages, 'en', { allowMissing: true });
}

/** The few messages that the application shows, and those of react-admin's components. An unknown key is shown as it is. */
export const i18nProvider: I18nProvider = {
  translate: (key, options) =>
    english[key] ?? stockProvider?.translate(key, options) ?? (options as { _?: string } | undefined)?._ ?? key,
  changeLocale: () => Promise.resolve(),
  getLocale: () => 'en',
};
