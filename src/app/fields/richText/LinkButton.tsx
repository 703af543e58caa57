import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { isUrl } from '../../../engine/field-types/url';
import { Icon } from '../../icons/Icon';
import * as labelStyles from '../labels.module.css';
import { returnToText } from './returnToText';
import * as fieldsStyles from '../fields.module.css';

/** Adds, changes or removes the link of the selected text. */
export function LinkButton({ editor, active }: { editor: Editor; active: boolean }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [address, setAddress] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const open = (element: HTMLElement) => {
    setAddress((editor.getAttributes('link').href as string | undefined) ?? '');
    setInvalid(false);
    setAnchor(element);
  };
  const close = () => returnToText(editor, () => setAnchor(null));
  const apply = () => {
    const text = address.trim();
    const isPlaceholder = /^\{\{\w+\}\}$/.test(text);
    if (!isPlaceholder && !isUrl(text) && !text.startsWith('mailto:')) return setInvalid(true);
    const href = isPlaceholder || /^\w+:/.test(text) ? text : `https://${text}`;
    close();
    const chain = editor.chain().extendMarkRange('link');
    if (editor.state.selection.empty && !active)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
  };
  return (
    <>
      <button
        type="button"
        aria-label="Link"
        title="Link"
        aria-pressed={active}
        aria-haspopup="dialog"
        onClick={(event) => open(event.currentTarget)}
      >
        <Icon name="link" />
      </button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Link', className: fieldsStyles.linkPaper } }}
      >
        <OutlinedInput
          autoFocus
          size="small"
          placeholder="https://"
          value={address}
          error={isInvalid}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            apply();
          }}
          slotProps={{ input: { 'aria-label': 'Address', 'aria-invalid': isInvalid } }}
        />
        <Button variant="contained" onClick={apply}>
          Apply
        </Button>
        {active && (
          <Button
            variant="outlined"
            onClick={() => {
              close();
              editor.chain().extendMarkRange('link').unsetLink().run();
            }}
          >
            Remove
          </Button>
        )}
        {isInvalid && (
          <p className={labelStyles.fieldError} role="alert">
            Invalid Url
          </p>
        )}
      </Popover>
    </>
  );
}
