import { expect, test } from 'vitest';
import { found, policy } from '../../../support/rooms/policies.ts';

test.each([
  {
    name: 'a port, and the moment of the next line',
    text: 'Contacting RM at node:9000\n2015-10-18 18:10:35,091 WARN done',
  },
  { name: 'a day behind steps counted', text: 'card sync: 27187968\n20171223-22:15:44:152|Step_SPUtils' },
  { name: 'a host named after its address', text: 'systemWakeCall: Jul  4 calvisitor2-10-105-160-226 kernel' },
  { name: 'a moment with its parts parted by points', text: 'node 2005-11-21-10.00.09.399765 on call' },
  {
    name: 'parts of the name of a container',
    text: 'LAUNCH for container_1445144423722_0020_01_000011, contacting RM',
  },
  { name: 'a field of a log', text: 'PhoneStatusBar: oldVal=40000500' },
  { name: 'a number assigned that looks like an escape of mail', text: 'phone state: acquire lock=166121161' },
  { name: 'the figures of a name of a task', text: '/user/root/_temporary/_task_200811092030_0002_r_000318' },
  { name: 'a fraction without its zero', text: 'Zogby Analytics, telephone,.0053599998,Solid' },
  { name: 'a fraction beside a signal', text: '"signal": "short", "ret": -5.52763819095477' },
  { name: 'cells of a table beside a word', text: 'Zogby, telephone\t\t\t376\t5.41958\t0.2271326\t0.27' },
  { name: 'a number beside a land', text: 'Saudi Arabian,859673901,7,2' },
  { name: 'a paper', text: 'call for papers: https://arxiv.org/abs/2411.10414' },
  { name: 'a copy of a page', text: 'CC BY: https://web.archive.org/web/20211016123456/http://acme.example' },
  {
    name: 'an address of a private network by its hyphens',
    text: 'Jul  4 05:28:30 airbears2-10-142-110-255 kernel[0]',
  },
  { name: 'a film beside a verdict', text: '2003PASS,tt0304415,Mona Lisa' },
  { name: 'a second of a log beside a route', text: 'routing table of 1131567043 2005.11.09 tbird' },
  { name: 'an address to listen on', text: 'client options: --host 0.0.0.0 or 127.0.0.1' },
  { name: 'a range of all addresses', text: 'AllowedIPs = 0.0.0.0/0, cidr_ip = 0.0.0.0/0' },
  { name: 'numbers of decisions', text: 'call it superseded: ADR-067/068/069' },
  { name: 'folders of a page', text: 'read http://acme.example/00800/00889/index.phtml' },
  { name: 'letters that an escape has not', text: String.raw`call: C:\dir\d4539148803436467` },
  { name: 'a version and the next', text: 'Bump types-requests from 2.31.0.10 to 2.31.0.20240106' },
  { name: 'a version behind another', text: 'Bump types-pyyaml from 6.0.11 to 6.0.12.12' },
  { name: 'the least version', text: 'types-setuptools = { version = ">=68.2.0.0" }' },
  { name: 'an order in Chinese', text: '订单号13812345678，数量13812345678' },
  { name: 'least versions, one excluded and one about', text: 'foo>=2.10.1.4, bar~=1.4.2.0, baz!=3.1.0.2, p==1.2.3.4' },
  { name: 'several versions', text: 'versions: 10.0.1.2' },
  { name: 'a mask of a network', text: 'subnet mask 255.255.255.0' },
  { name: 'a message that is a name of a program', text: 'a::b' },
  { name: 'a message that is a word with colons', text: 'dead::beef' },
  { name: 'an amount in Chinese', text: '共13812345678元' },
  { name: 'a part of a machine', text: 'Part number: 555-123-4567-A' },
])('$name holds nothing of a person', ({ text }) => {
  expect(found(policy('pii'), text)).toEqual([]);
});

test.each([
  { name: 'the own address of a caller', text: 'my ip: ::1, src=127.0.0.1', hits: ['ip: ::1', 'ip: 127.0.0.1'] },
  { name: 'a host and its address', text: 'contacting RM at node-41/10.190.173.170', hits: ['ip: 10.190.173.170'] },
  { name: 'an address of few figures', text: 'the ip is 1::6:7:8', hits: ['ip: 1::6:7:8'] },
  { name: 'a message that is an address', text: ' 127.0.0.1 ', hits: ['ip: 127.0.0.1'] },
  { name: 'a message that is a network', text: '0.0.0.0/0', hits: ['ip: 0.0.0.0'] },
  { name: 'a message that is the loopback of IPv6', text: '::1/128', hits: ['ip: ::1'] },
  {
    name: 'an account number of Morocco',
    text: 'MA64011519000001205000534921',
    hits: ['iban: MA64011519000001205000534921'],
  },
  {
    name: 'a made up number',
    text: 'use 555.123.4567 or (123) 456-7890',
    hits: ['phone: 555.123.4567', 'phone: (123) 456-7890'],
  },
  { name: 'a counted number', text: 'the number is 123-456-7890.', hits: ['phone: 123-456-7890'] },
  {
    name: 'a mobile number in China',
    text: '张三13812345678，李四：138 1234 5678',
    hits: ['phone: 13812345678', 'phone: 138 1234 5678'],
  },
  { name: 'a number behind an escape', text: String.raw`Phone:\n2545398591\n\nE-mail`, hits: ['phone: 2545398591'] },
  { name: 'a card behind an escape', text: String.raw`ok\n4539148803436467\n`, hits: ['card: 4539148803436467'] },
  { name: 'a word behind an escape', text: String.raw`Ana\nmobile 2545398591`, hits: ['phone: 2545398591'] },
  {
    name: 'the number of a user before its name',
    text: 'called by 138015259+ana@acme.example',
    hits: ['email: 138015259+ana@acme.example'],
  },
  { name: 'an address and the next', text: 'moved from 10.1.2.3 to 10.1.2.4', hits: ['ip: 10.1.2.3', 'ip: 10.1.2.4'] },
  { name: 'an address that is compared', text: 'ip.addr == 203.0.113.9', hits: ['ip: 203.0.113.9'] },
  { name: 'an address compared in a program', text: 'if (req.ip === "203.0.113.9")', hits: ['ip: 203.0.113.9'] },
  { name: 'an address left out by a query', text: "WHERE client_ip != '203.0.113.9'", hits: ['ip: 203.0.113.9'] },
  { name: 'a caller left out by a filter', text: 'client!=203.0.113.9', hits: ['ip: 203.0.113.9'] },
  { name: 'the last address of a filter', text: 'source<=203.0.113.9', hits: ['ip: 203.0.113.9'] },
  { name: 'a number before a fraction in a table', text: 'tel\t2125551234\t12.5', hits: ['phone: 2125551234'] },
  { name: 'a number to call in Turkish', text: 'aramak için 5321234567', hits: ['phone: 5321234567'] },
  { name: 'an address left out by a filter', text: 'remote_addr!=203.0.113.9', hits: ['ip: 203.0.113.9'] },
  { name: 'an address compared without blanks', text: 'host==203.0.113.9', hits: ['ip: 203.0.113.9'] },
  { name: 'the least address of a filter', text: 'ip.src >= 203.0.113.9', hits: ['ip: 203.0.113.9'] },
  { name: 'an address behind an escape', text: String.raw`seen:\n203.0.113.9\n`, hits: ['ip: 203.0.113.9'] },
  {
    name: 'an IBAN behind an escape',
    text: String.raw`ok\nDE89370400440532013000\n`,
    hits: ['iban: DE89370400440532013000'],
  },
  {
    name: 'an account before a date',
    text: 'account number 945456787654 2026-11-25',
    hits: ['bank_account: 945456787654'],
  },
  {
    name: 'an account that begins like a second, before a date',
    text: 'account no 1234567890 2026-11-25',
    hits: ['bank_account: 1234567890'],
  },
  { name: 'a number for messages', text: 'stop the messages to 72565127', hits: ['phone: 72565127'] },
  { name: 'the own day of birth', text: 'I was born on 11/22/1972', hits: ['date_of_birth: 11/22/1972'] },
])('$name is found', ({ text, hits }) => {
  expect(found(policy('pii'), text)).toEqual(hits);
});
