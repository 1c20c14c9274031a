// Package uploads keeps files between the page that shows what is in them and
// the step that takes them, in Redis, where every node finds them.
//
// What people send is personal, so it lies there sealed: the key follows from
// the id of the upload, which is known to the page that it was sent from and
// kept nowhere. What Redis has, also in its append-only file until that is
// rewritten and in any copy of it, cannot be read without that page. It is
// erased once the file is taken or given up, and after an hour in any case; a
// hall keeps a few at a time.
package uploads
