import { Link } from 'react-router-dom';
import * as styles from './profile.module.css';

const tabs = [
  { path: '/profile', label: 'Profile' },
  { path: '/profile/notifications', label: 'Notifications' },
  { path: '/profile/security', label: 'Security' },
];

/** The parts of the profile, each with its own address. */
export function ProfileTabs({ path }: { path: string }) {
  return (
    <nav className={styles.profileTabs} aria-label="Profile">
      {tabs.map((tab) => (
        <Link key={tab.path} to={tab.path} aria-current={tab.path === path ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
