import { usePage } from '../../../src/app/layout/page';

/** Soon. */
export default function Versions() {
  usePage({ title: 'Studio' });
  return null;
}
