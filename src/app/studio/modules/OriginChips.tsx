import Box from '@mui/material/Box';
import type { Module } from '../../../engine/studio/module';
import * as chipsStyles from '../../chips/chips.module.css';

/** The origin and state of a module as chips. `drafted`: whether the user has a draft of it. */
export function OriginChips({ module, drafted }: { module: Module; drafted: boolean }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 1.5 }}>
      {module.retired ? (
        <span className={chipsStyles.chip} data-tone="high">
          <span>Retired</span>
        </span>
      ) : (
        <span className={chipsStyles.chip} data-tone={originOf(module).tone}>
          <span>{originOf(module).label}</span>
        </span>
      )}
      {module.upgrade && (
        <span className={chipsStyles.chip} data-tone="urgent">
          <span>Upgrade pending</span>
        </span>
      )}
      {drafted && (
        <span className={chipsStyles.chip} data-tone="medium">
          <span>Draft</span>
        </span>
      )}
    </Box>
  );
}

function originOf({ origin, customised }: Module) {
  if (origin === 'custom') return { label: 'Custom', tone: 'violet' };
  return customised ? { label: 'Changed', tone: 'info' } : { label: 'Shipped', tone: undefined };
}
