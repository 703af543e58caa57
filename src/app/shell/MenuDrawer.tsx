import Drawer from '@mui/material/Drawer';
import { SideMenu, type SideMenuProps } from './SideMenu';

interface MenuDrawerProps extends SideMenuProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The side menu on phones. */
export default function MenuDrawer({ isOpen, onClose, ...props }: MenuDrawerProps) {
  return (
    <Drawer open={isOpen} onClose={onClose} slotProps={{ paper: { 'aria-label': 'Menu' } }}>
      <SideMenu {...props} onChosen={onClose} />
    </Drawer>
  );
}
