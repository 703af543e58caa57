import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useId } from 'react';
import { localTimeZone } from '../../../engine/formats/time-zone';
import type { Channel, NoticeChange, NoticeChoices } from './noticeChoicesApi';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

const channels: readonly { channel: Channel; label: string }[] = [
  { channel: 'notice', label: 'In the program' },
  { channel: 'mail', label: 'By mail at once' },
  { channel: 'digest', label: 'In the digest' },
  { channel: 'none', label: 'Not at all' },
];

export interface ChoicesProps {
  choices: NoticeChoices;
  change: (changed: NoticeChange) => void;
  disabled: boolean;
}

/** For each kind of notification, how the user is told. */
export function NoticeKinds({ choices, change, disabled }: ChoicesProps) {
  const id = useId();
  const choose = (key: string, channel: Channel) => {
    const isFirstDigest = channel === 'digest' && choices.kinds.every((kind) => kind.channel !== 'digest');
    const localZone = localTimeZone();
    // The first digest comes by the clock of who chose it, unless they chose another.
    const isElsewhere = isFirstDigest && choices.time_zone === null && localZone !== choices.company_time_zone;
    change({ channels: { [key]: channel }, ...(isElsewhere && { time_zone: localZone }) });
  };
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Notifications</h2>
        <p>How you are told of what. Mails also appear in the program.</p>
        {!choices.address_confirmed && <p>Mails are sent once you have confirmed your email address.</p>}
      </div>
      <Box sx={{ maxWidth: 640 }}>
        {choices.kinds.map(({ key, label, description, channel }) => (
          <div key={key} className={styles.profileNotice}>
            <div id={`${id}-${key}`}>
              <b>{label}</b>
              {description !== null && <small>{description}</small>}
            </div>
            <Select
              fullWidth
              disabled={disabled}
              value={channel}
              inputProps={{ id: `${id}-${key}-channel` }}
              SelectDisplayProps={{ 'aria-label': label }}
              onChange={({ target: { value } }) => choose(key, value)}
            >
              {channels.map((option) => (
                <MenuItem key={option.channel} value={option.channel}>
                  {option.label}
                </MenuItem>
              ))}
            </Select>
          </div>
        ))}
      </Box>
    </section>
  );
}
