import { expect, test } from 'vitest';
import { refuseForeign } from '../../src/settings/ownership.ts';
import type { FileInfo } from '../../src/world/world.ts';

const info = (of: Partial<FileInfo>): FileInfo => ({
  type: 'file',
  size: 2,
  mode: 0o600,
  uid: 1000,
  gid: 1000,
  modifiedAt: 0,
  changedAt: '0',
  identity: '1:1',
  bornAt: '0',
  links: 1,
  ...of,
});

test.each([
  { name: 'ours', of: {} },
  { name: 'one that others read', of: { mode: 0o644 } },
  { name: "root's, as in a container", of: { uid: 0, mode: 0o644 } },
  { name: "root's folder", of: { uid: 0, mode: 0o755, type: 'folder' as const } },
  { name: 'a sticky folder, in which nobody can touch what is ours', of: { mode: 0o1777, type: 'folder' as const } },
])('$name is trusted', ({ of }) => {
  expect(() => refuseForeign('/p', info(of), 1000)).not.toThrow();
});

test.each([
  { name: "another user's", of: { uid: 1001 }, says: '/p belongs to another user (1001)' },
  { name: 'one the group may change', of: { mode: 0o660 }, says: '/p can be changed by other users (mode 0660)' },
  { name: 'one all may change', of: { mode: 0o602 }, says: '/p can be changed by other users' },
  { name: "root's that all may change", of: { uid: 0, mode: 0o666 }, says: '/p can be changed by other users' },
  { name: 'a file with the sticky bit', of: { mode: 0o1666 }, says: '/p can be changed by other users' },
])('$name is refused', ({ of, says }) => {
  expect(() => refuseForeign('/p', info(of), 1000)).toThrow(says);
});

test('where users have no numbers nothing is refused', () => {
  expect(() => refuseForeign('/p', info({ uid: 1, mode: 0o777 }), undefined)).not.toThrow();
});
