import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { useImperativeHandle, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { isShownPicture } from '../../../engine/field-types/stored-files';
import { isUrl } from '../../../engine/field-types/url';
import { Icon } from '../../icons/Icon';
import type { IconName } from '../../icons/icons';
import { markupToText } from '../../../engine/formats/markup-to-text';
import { SnippetButton } from '../snippets/SnippetButton';
import type { SnippetSubject } from '../snippets/subject';
import type { PicturesOfRecord } from './recordPictures';
import type { MarkdownEdits } from './useMarkdownEdits';
import * as styles from './tools.module.css';

/** Opens the dialog of a link by its key. */
export interface MarkdownDialogs {
  openLink(): void;
}

interface MarkdownToolsProps {
  edits: MarkdownEdits;
  pictures: PicturesOfRecord | undefined;
  /** The record that the text is about; without one, there are no snippets. */
  subject: SnippetSubject | undefined;
  /** No text with marks has the focus. */
  isDisabled: boolean;
  ref: RefObject<MarkdownDialogs | null>;
}

/** The buttons of a toolbar that mark the selected text: bold, italic, link, code and picture; and one for snippets. */
export function MarkdownTools({ edits, pictures, subject, isDisabled, ref }: MarkdownToolsProps) {
  const linkButton = useRef<HTMLButtonElement>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const [address, setAddress] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const openLink = () => {
    setAddress(edits.address());
    setWrong(false);
  };
  useImperativeHandle(ref, () => ({ openLink }));
  const closeLink = () => {
    setAddress(null);
    edits.focus();
  };
  const applyLink = () => {
    const target = addressOf(address ?? '');
    if (target === undefined) return setWrong(true);
    setAddress(null);
    edits.link(target);
  };
  const names = [...new Set(pictures?.knownPictures.map(({ name }) => name))];
  const tool = { isDisabled, edits };
  return (
    <>
      <Tool {...tool} icon="bold" label="Bold" keys="B" mark="bold" onUse={() => edits.toggle('bold')} />
      <Tool {...tool} icon="italic" label="Italic" keys="I" mark="italic" onUse={() => edits.toggle('italic')} />
      <Tool
        icon="link"
        label="Link"
        keys="Shift K"
        isDisabled={isDisabled}
        edits={edits}
        mark="link"
        ref={linkButton}
        onUse={openLink}
      />
      <Tool {...tool} icon="code" label="Code" keys="E" mark="code" onUse={() => edits.toggle('code')} />
      {pictures?.add && (
        <Tool
          icon="image"
          label="Picture"
          isDisabled={isDisabled}
          edits={edits}
          mark="picture"
          onUse={(button) => (names.length > 0 ? setMenu(button) : fileInput.current?.click())}
        />
      )}
      {subject && (
        <SnippetButton
          subject={subject}
          disabled={isDisabled}
          onInsert={(markup) => edits.insert(markupToText(markup, { bullet: '- ', emptyLines: true }))}
          onLeave={edits.focus}
        />
      )}
      <Popover
        open={address !== null}
        anchorEl={() => linkButton.current}
        onClose={closeLink}
        onKeyDown={keepKeys}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Link', className: styles.markLink } }}
        data-of-cell=""
      >
        <OutlinedInput
          autoFocus
          size="small"
          placeholder="https://"
          value={address ?? ''}
          error={isWrong}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            applyLink();
          }}
          slotProps={{ input: { 'aria-label': 'Address', 'aria-invalid': isWrong } }}
        />
        <Button variant="contained" onClick={applyLink}>
          Apply
        </Button>
        {isWrong && <p role="alert">Write an address such as https://example.com or mailto:name@example.com.</p>}
      </Popover>
      <Menu
        open={menu !== null}
        anchorEl={menu}
        onClose={() => {
          setMenu(null);
          edits.focus();
        }}
        onKeyDown={keepKeys}
        data-of-cell=""
      >
        {names.map((name) => (
          <MenuItem
            key={name}
            onClick={() => {
              setMenu(null);
              edits.show(name);
            }}
          >
            {name}
          </MenuItem>
        ))}
        <MenuItem
          onClick={() => {
            setMenu(null);
            fileInput.current?.click();
          }}
        >
          Another picture…
        </MenuItem>
      </Menu>
      <input
        ref={fileInput}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        aria-label="Picture for the text"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file && isShownPicture(file)) edits.add(file);
        }}
      />
    </>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  /** With Ctrl. */
  keys?: string;
  isDisabled: boolean;
  edits: MarkdownEdits;
  mark: MarkdownEdits['active'][number];
  ref?: RefObject<HTMLButtonElement | null>;
  onUse: (button: HTMLElement) => void;
}

function Tool({ icon, label, keys, isDisabled, edits, mark, ref, onUse }: ToolProps) {
  const hasDialog = mark === 'link' || mark === 'picture';
  return (
    <IconButton
      ref={ref}
      size="small"
      className={styles.markTool}
      aria-label={label}
      title={keys === undefined ? label : `${label} (Ctrl ${keys})`}
      aria-keyshortcuts={keys && `Control+${keys.replace(' ', '+')}`}
      aria-pressed={!isDisabled && edits.active.includes(mark)}
      aria-haspopup={hasDialog ? 'dialog' : undefined}
      disabled={isDisabled}
      // The text keeps the focus, so that typing goes on.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onUse(event.currentTarget)}
    >
      <Icon name={icon} size={16} />
    </IconButton>
  );
}

/** Keys in a dialog are its own: React's events leave it for the text that it belongs to. */
function keepKeys(event: KeyboardEvent): void {
  if (event.key !== 'Escape') event.stopPropagation();
}

/** The address as it is written into the text: https where nothing is said; undefined if it is none. */
function addressOf(typedAddress: string): string | undefined {
  const text = typedAddress.trim();
  if (/^mailto:[^\s@()<>]+@[^\s@()<>]+$/i.test(text)) return text;
  if (!isUrl(text)) return undefined;
  return /^https?:/i.test(text) ? text : `https://${text}`;
}
