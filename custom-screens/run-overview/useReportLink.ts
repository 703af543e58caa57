import { useNotify } from 'react-admin';
import { shareLinkOf } from '../../src/engine/check/check-shares';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { copyText, shareUrl } from '../../src/app/fields/shareLink/shareUrl';
import type { OverviewRun } from './overviewApi';

/** The public address of a run's report, empty if it has none, and a function that copies it. */
export function useReportLink(run: OverviewRun): { readonly address: string; readonly copy: () => Promise<void> } {
  const { registry } = useDefinitions();
  const notify = useNotify();
  const link = shareLinkOf(registry.getOrThrow('test-runs'));
  const address = link ? shareUrl(link, run.report_link) : '';
  const copy = async () => {
    const isCopied = await copyText(address);
    notify(
      isCopied
        ? 'The public link to the report was copied. Revoke it in the form of the run.'
        : `Copy this link: ${address}`,
      { type: 'info', autoHideDuration: isCopied ? undefined : null },
    );
  };
  return { address, copy };
}
