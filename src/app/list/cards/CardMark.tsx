import type { Card, ResourceRecord } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { Icon } from '../../icons/Icon';
import { hueOf } from '../../chips/initials';
import { Initials } from '../../chips/Initials';
import * as styles from '../../chips/initials.module.css';

/** A card's mark: the initials of its title, or an icon from a field. */
export function CardMark({ card, record, title }: { card: Card; record: ResourceRecord; title: string }) {
  if (card.mark === 'none') return null;
  if (card.mark === 'initials') return <Initials name={title} size={36} square />;
  const icon = fillTemplate(`{${card.mark}}`, record);
  return (
    <span
      className={styles.initials}
      data-hue={hueOf(title)}
      data-square
      style={{ width: 36, height: 36 }}
      aria-hidden="true"
    >
      <Icon name={icon || 'folder'} size={18} />
    </span>
  );
}
