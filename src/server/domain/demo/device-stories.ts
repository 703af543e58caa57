import type { Stories } from './story';

/** What is tested in apps, desktop programs, games and connected devices. */
export const deviceStories: Stories = {
  Permissions: [
    [
      'Refusing the location still lets the app be used',
      'Install the app;Refuse the location;Open the map',
      'The map opens on the depot and explains what is missing.',
      'The app closes.',
    ],
    [
      'Permission taken away in the settings is noticed',
      'Allow the camera;Take it away in the system settings;Open the scanner',
      'The app asks again and leads to the settings.',
      'The scanner shows a black picture.',
    ],
  ],
  'First sync': [
    [
      'First sync goes on after the connection was lost',
      'Sign in on a new phone;Switch to flight mode at half of the progress;Switch back',
      'The sync goes on where it stopped.',
      'The sync starts over and the list has doubles.',
    ],
    [
      'Progress of the first sync never runs backwards',
      'Sign in with an account of 5,000 records;Watch the bar',
      'The bar only grows and ends at 100 %.',
      'The bar falls from 80 % to 40 %.',
    ],
  ],
  Queue: [
    [
      'Work done offline is sent in its order',
      'Switch to flight mode;Make three changes to one stop;Switch back',
      'The server has the third change; the history shows all three.',
      'The second change wins.',
    ],
    [
      'Queue survives a restart of the phone',
      'Make changes offline;Restart the phone;Go online',
      'All changes are sent.',
      'The last change is lost.',
    ],
  ],
  Conflicts: [
    [
      'Both sides of a conflict are shown',
      'Change a note offline;Change it on the web as well;Go online',
      'The app shows both texts and asks which to keep.',
      'The text from the web is overwritten without a word.',
    ],
    [
      'Deleted record is not brought back by an old phone',
      'Delete a stop on the web;Open a phone that was offline for a week',
      'The stop disappears from the phone.',
      'The stop is on the web again.',
    ],
  ],
  'Opt-in': [
    [
      'Nothing is sent before the opt-in',
      'Install the app;Do not answer the question about messages;Trigger a message',
      'No message arrives and no token is registered.',
      'A token is registered at the first start.',
    ],
    [
      'Quiet hours hold messages back',
      'Set quiet hours from 22:00;Trigger a message at 22:30',
      'The message arrives at the end of the quiet hours.',
      'The phone rings at 22:30.',
    ],
  ],
  'Deep links': [
    [
      'Message opens the record that it is about',
      'Close the app;Tap a message',
      'The app starts on that record; Back leads to the list.',
      'The app starts on the home screen.',
    ],
    [
      'Link to a record of somebody else is refused',
      'Open a link to a record of another team',
      'A sentence says that it cannot be opened.',
      'The screen stays white.',
    ],
  ],
  Barcode: [
    [
      'Code is read in low light',
      'Dim the room to 20 lux;Scan a parcel label',
      'Read within two seconds with the lamp switched on by itself.',
      'Nothing is read without switching the lamp on by hand.',
    ],
    [
      'Same code twice in a row counts once',
      'Hold the scanner on one label for five seconds',
      'One entry and one sound.',
      'Four entries.',
    ],
  ],
  'Photo upload': [
    [
      'Photo taken upright is stored upright',
      'Take a photo in portrait;Open it on the web',
      'The photo stands upright.',
      'The photo lies on its side.',
    ],
    [
      'Upload over a slow line can be watched and stopped',
      'Limit the line to 100 kbit/s;Upload a photo;Press Stop',
      'The progress is shown; after Stop nothing is stored.',
      'Stop has no effect.',
    ],
  ],
  Update: [
    [
      'Update keeps the settings of the till',
      'Change printer and drawer;Install the update',
      'Printer and drawer are as they were.',
      'The drawer is back to its default.',
    ],
    [
      'Update waits for an open transaction',
      'Begin a deposit;Let the update arrive',
      'The update installs after the deposit.',
      'The program closes in the middle of the deposit.',
    ],
  ],
  Rollback: [
    [
      'Failed update returns to the former version',
      'Cut the power at 60 % of the update;Start again',
      'The former version starts.',
      'Neither version starts.',
    ],
    [
      'Rollback keeps the journal of the day',
      'Book three deposits;Roll the update back;Open the journal',
      'All three are there.',
      'The journal is empty until the night run.',
    ],
  ],
  Deposits: [
    [
      'Deposit over 10,000 asks for the origin',
      'Enter a deposit of 10,000.01',
      'The form for the origin of the money opens before booking.',
      'The deposit is booked without the form.',
    ],
  ],
  Withdrawals: [
    [
      'Withdrawal beyond the limit needs a second signature',
      'Enter 5,001 as a teller',
      'A second teller must sign in on the same screen.',
      'The first teller may sign twice.',
    ],
  ],
  Receipts: [
    [
      'Receipt prints all lines on narrow paper',
      'Book a deposit with a purpose of 140 characters;Print',
      'The purpose is wrapped; nothing is cut.',
      'The last 30 characters are missing.',
    ],
  ],
  Statements: [
    [
      'Statement of a month without bookings prints its balance',
      'Choose an account without bookings;Print the statement',
      'One page with the old and the new balance.',
      'The printer spools an empty job.',
    ],
  ],
  Controls: [
    [
      'Controller unplugged in a run pauses the game',
      'Begin a run;Unplug the controller',
      'The game pauses and says why.',
      'The climber runs into the abyss.',
    ],
    [
      'Keys can be swapped without locking oneself out',
      'Give Jump the key of Pause',
      'The keys are swapped after a question.',
      'Pause has no key any more.',
    ],
  ],
  Scoring: [
    [
      'Score survives a crash during a run',
      'Collect 500 points;End the process;Start again',
      'The run is offered again with 500 points.',
      'The score is zero.',
    ],
  ],
  Levels: [
    [
      'Level cannot be left behind the edge of the map',
      'Run along the northern ridge;Jump at the last rock',
      'An invisible wall stops the climber softly.',
      'The climber falls for ever.',
    ],
  ],
  'Frame rate': [
    [
      'Sixty frames a second in the snow storm',
      'Load "North Face";Switch the storm on;Record a minute',
      'Never under 55 frames a second.',
      'Falls to 31 frames at the second camp.',
    ],
  ],
  Shaders: [
    [
      'Ice looks the same on both graphics drivers',
      'Load the glacier on both test machines;Compare the pictures',
      'No difference that can be seen from a metre away.',
      'The ice is pink on one of them.',
    ],
  ],
  Matchmaking: [
    [
      'Two friends get into the same match',
      'Invite a friend;Start the search',
      'Both are in one match within 30 seconds.',
      'They land in two matches.',
    ],
  ],
  Chat: [
    [
      'Blocked player cannot write',
      'Block a player in the lobby;Let them write',
      'Nothing appears.',
      'The text appears after the next match.',
    ],
  ],
  'Over-the-air update': [
    [
      'Update with a wrong signature is refused',
      'Offer a package with a changed byte;Wait for the gateway',
      'The package is thrown away and reported.',
      'The gateway restarts in a loop.',
    ],
    [
      'Update over a weak signal goes on after a break',
      'Damp the antenna to -110 dBm;Start the update',
      'The update ends within two hours.',
      'The update starts over every ten minutes.',
    ],
  ],
  Watchdog: [
    [
      'Hung process is restarted within a minute',
      'Stop the reader with a signal;Wait',
      'The watchdog restarts it and writes a line.',
      'The whole gateway restarts.',
    ],
    [
      'Restart keeps readings that were not sent',
      'Cut the network;Wait for ten readings;Restart the gateway',
      'All ten are sent later.',
      'The last two are lost.',
    ],
  ],
  Readings: [
    [
      'Reading of a full day has 96 quarters',
      'Let the gateway run from midnight to midnight;Count',
      '96 readings without gaps.',
      '95 readings: 02:00 is missing.',
    ],
    [
      'Jump in the counter is reported, not smoothed',
      'Raise the counter by 1,000 kWh',
      'The reading is marked as implausible.',
      'The reading is replaced by the mean.',
    ],
  ],
  'Clock drift': [
    [
      'Clock is set without a reading counted twice',
      'Set the clock back by 90 seconds;Let the time server correct it',
      'Every quarter has one reading.',
      'The quarter of the change has two.',
    ],
    [
      'Gateway without time server warns after a day',
      'Block the time server for 25 hours',
      'A warning reaches the control room.',
      'No warning.',
    ],
  ],
  Bluetooth: [
    [
      'Pairing ends after three wrong codes',
      'Enter a wrong code three times',
      'Pairing is locked for ten minutes.',
      'Any number of codes can be tried.',
    ],
    [
      'Meter in the neighbour\u2019s flat is not offered',
      'Open pairing with two meters in reach',
      'Only the meter whose code was scanned is offered.',
      'Both are offered under one name.',
    ],
  ],
  Certificates: [
    [
      'Certificate is renewed before it ends',
      'Set the clock to ten days before the end',
      'A new certificate is in use after a day.',
      'The renewal waits for the last hour.',
    ],
    [
      'Revoked certificate cuts the connection',
      'Revoke the certificate of a test gateway',
      'The next connection is refused.',
      'The gateway connects until it restarts.',
    ],
  ],
};
