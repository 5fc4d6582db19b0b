import { expect, test } from 'bun:test';
import { clientAddress, isLocal, listNetworks, networkOf } from '../../src/http/address.ts';

test('the header is ignored without trusted proxies', () => {
  expect(clientAddress('203.0.113.9', '1.2.3.4', [])).toBe('203.0.113.9');
});

test('an untrusted caller cannot name another address', () => {
  expect(clientAddress('203.0.113.9', '1.2.3.4', ['10.0.0.0/8'])).toBe('203.0.113.9');
});

test('the client is the last address that is not a trusted proxy, regardless of the addresses before it', () => {
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', ['10.0.0.0/8'])).toBe('1.2.3.4');
});

test('a header that contains only proxies yields the first of them', () => {
  expect(clientAddress('10.0.0.1', '10.0.0.2', ['10.0.0.0/8'])).toBe('10.0.0.2');
});

test('an invalid address ends the search', () => {
  expect(clientAddress('10.0.0.1', '1.2.3.4, unknown', ['10.0.0.0/8'])).toBe('10.0.0.1');
});

test('networks of IPv6, and IPv4 inside IPv6, are compared bit by bit', () => {
  expect(clientAddress('::ffff:10.1.2.3', '1.2.3.4', ['10.0.0.0/8'])).toBe('1.2.3.4');
  expect(clientAddress('fd00::1', '2001:db8::7', ['fd00::/8'])).toBe('2001:db8::7');
  expect(clientAddress('fe00::1', '2001:db8::7', ['fd00::/8'])).toBe('fe00::1');
  expect(clientAddress('10.128.0.1', '1.2.3.4', ['10.0.0.0/9'])).toBe('10.128.0.1');
});

test('a /64 of IPv6 counts as one address, and an IPv4 address counts as itself', () => {
  expect(networkOf('2001:db8:1:2::7')).toBe(networkOf('2001:db8:1:2:ffff:1:2:3'));
  expect(networkOf('2001:db8:1:2::7')).not.toBe(networkOf('2001:db8:1:3::7'));
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('::ffff:203.0.113.9')).not.toBe(networkOf('::ffff:203.0.113.8'));
});

test('an IPv6 address belongs to a /64, a /56 and a /48', () => {
  expect(listNetworks('2001:db8:1:203::7')).toEqual(['20010db800010203/64', '20010db8000102/56', '20010db80001/48']);
  expect(listNetworks('203.0.113.9')).toEqual(['203.0.113.9']);
  expect(listNetworks('memory')).toEqual(['memory']);
});

test('this machine is local, but a proxy on it is not', () => {
  const none = new Headers();
  expect([isLocal('127.0.0.1', none), isLocal('::1', none), isLocal('::ffff:127.0.0.1', none)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isLocal('10.0.0.1', none), isLocal('127.0.0.1', new Headers({ 'x-forwarded-for': '::1' }))]).toEqual([
    false,
    false,
  ]);
});
