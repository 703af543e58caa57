import { usePage } from '../../../src/app/layout/page';

/** Soon. */
export default function Upgrade() {
  usePage({ title: 'Studio' });
  return null;
}
