import type { FieldOf } from '../../../engine/definitions/definition';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import { shareUrl, copyText } from './shareUrl';
import * as styles from '../fields.module.css';
import { reportError } from '../../data/ErrorToasts';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';

const questions = {
  renew: {
    title: 'Renew the public link?',
    question: 'The link gets a new address. The old address stops working.',
    confirmLabel: 'Renew',
  },
  revoke: {
    title: 'Revoke the public link?',
    question: 'The link stops working. You can create a new one later.',
    confirmLabel: 'Revoke',
  },
} as const;

/**
 * A public address to copy; users who may change the record can renew or revoke it. Changes apply at once, not on
 * saving.
 */
function Input(props: InputProps<FieldOf<'shareLink'>>) {
  const { id, field, describedBy, owner } = props;
  const { token, busy: isBusy, renew, revoke } = useSharing(props);
  const [question, setQuestion] = useState<keyof typeof questions>('renew');
  const [open, setOpen] = useState(false);
  const [copiedAddress, setCopiedAddress] = useState('');
  const address = shareUrl(field, token);
  const ask = (nextQuestion: keyof typeof questions) => {
    setQuestion(nextQuestion);
    setOpen(true);
  };
  const copy = async () => {
    if (await copyText(address)) return setCopiedAddress(address);
    const box = document.getElementById(id);
    if (box instanceof HTMLInputElement) box.select();
  };
  const confirm = async () => {
    await (question === 'renew' ? renew() : revoke());
    setOpen(false);
  };
  const wasCopied = copiedAddress === address;
  return (
    <div className={styles.share}>
      {address === '' ? (
        <span className={styles.shareNone} id={id} tabIndex={-1} aria-describedby={describedBy}>
          <Icon name="link" />
          No public link
        </span>
      ) : (
        <TextBox
          id={id}
          field={field}
          text={address}
          onText={() => {}}
          readOnly
          describedBy={describedBy}
          className="num"
        />
      )}
      {address !== '' && (
        <Button
          variant="outlined"
          size="large"
          startIcon={<Icon name={wasCopied ? 'check' : 'copy'} />}
          onClick={() => void copy()}
        >
          <span aria-live="polite">{wasCopied ? 'Copied' : 'Copy'}</span>
        </Button>
      )}
      {owner && address === '' && (
        <Button
          variant="outlined"
          size="large"
          startIcon={<Icon name="plus" />}
          disabled={isBusy}
          onClick={() => void renew()}
        >
          Create link
        </Button>
      )}
      {owner && address !== '' && (
        <>
          <Button variant="outlined" size="large" startIcon={<Icon name="refresh" />} onClick={() => ask('renew')}>
            Renew
          </Button>
          <Button variant="outlined" size="large" startIcon={<Icon name="x" />} onClick={() => ask('revoke')}>
            Revoke
          </Button>
        </>
      )}
      <ConfirmDialog
        {...questions[question]}
        open={open}
        destructive={question === 'revoke'}
        isBusy={isBusy}
        onConfirm={() => void confirm()}
        onClose={() => setOpen(false)}
      />
    </div>
  );
}

export default { Input, actsAtOnce: true } satisfies InputFacets<FieldOf<'shareLink'>>;

/** The current token of a record's link, with functions to renew and revoke it. */
function useSharing({ field, value, owner }: Pick<InputProps, 'field' | 'value' | 'owner'>) {
  const ask = useApi();
  const [isBusy, setBusy] = useState(false);
  // The result of an action here is valid until the form gets another version of the record.
  const [result, setResult] = useState<{ previousToken: unknown; token: unknown }>();
  const token = result && result.previousToken === value ? result.token : value;
  const call = async (method: 'POST' | 'DELETE') => {
    if (!owner || isBusy) return;
    setBusy(true);
    try {
      const path = `/${owner.resource}/${encodeURIComponent(owner.id)}/share`;
      const answer = await fetchApi<Record<string, unknown>>(path, { method }, ask);
      const record = (Object.keys(answer).length === 1 && 'data' in answer ? answer.data : answer) as typeof answer;
      setResult({ previousToken: value, token: record[field.name] ?? null });
    } catch (error) {
      reportError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return { token, busy: isBusy, renew: () => call('POST'), revoke: () => call('DELETE') };
}
