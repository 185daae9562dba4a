package disktest

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// FUSE's names for the operations that a device needs (linux/fuse.h). All others get ENOSYS, which the kernel takes
// to mean that they do not exist.
const (
	opForget      = 2
	opGetAttr     = 3
	opSetAttr     = 4
	opOpen        = 14
	opRead        = 15
	opWrite       = 16
	opRelease     = 18
	opFsync       = 20
	opFlush       = 25
	opInit        = 26
	opInterrupt   = 36
	opDestroy     = 38
	opBatchForget = 42
)

const (
	inHeader  = 40
	outHeader = 16
	mostWrite = 1 << 20
	directIO  = 1 // FOPEN_DIRECT_IO: the kernel caches nothing of the device between the loop device and us
	bigWrites = 1 << 5
	maxPages  = 1 << 22
)

// served is the file that is the device.
type served struct {
	d  *device
	fd int
}

// serve mounts the device over a file until the process ends: the kernel then forgets it, and its users get errors.
func serve(d *device, path string) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/fuse: %w", err)
	}
	if err := syscall.Mount("posthorn-disk", path, "fuse", syscall.MS_NOSUID|syscall.MS_NODEV,
		fmt.Sprintf("fd=%d,rootmode=100000,user_id=0,group_id=0", fd)); err != nil {
		return errors.Join(fmt.Errorf("mount a file system of our own: %w", err), syscall.Close(fd))
	}
	go (&served{d, fd}).run()
	return nil
}

func (s *served) run() {
	buf := make([]byte, mostWrite+blockSize)
	for {
		n, err := syscall.Read(s.fd, buf)
		switch {
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOENT):
			continue
		case err != nil: // ENODEV: it was unmounted
			return
		}
		s.answer(buf[:n])
	}
}

func (s *served) answer(in []byte) {
	op, unique, body := order.Uint32(in[4:]), order.Uint64(in[8:]), in[inHeader:]
	out := []byte(nil)
	var err error
	switch op {
	case opForget, opBatchForget, opInterrupt:
		return // nobody waits for an answer
	case opInit:
		out = make([]byte, 64)
		order.PutUint32(out[0:], 7)
		order.PutUint32(out[4:], 31)
		order.PutUint32(out[8:], mostWrite)
		order.PutUint32(out[12:], bigWrites|maxPages)
		order.PutUint16(out[16:], 16)
		order.PutUint16(out[18:], 12)
		order.PutUint32(out[20:], mostWrite)
		order.PutUint32(out[24:], 1)
		order.PutUint16(out[28:], mostWrite/blockSize)
	case opGetAttr, opSetAttr:
		out = s.attributes()
	case opOpen:
		out = make([]byte, 16)
		order.PutUint32(out[8:], directIO)
	case opRead:
		out = make([]byte, order.Uint32(body[16:]))
		err = s.d.read(int64(order.Uint64(body[8:])), out)
	case opWrite:
		size := order.Uint32(body[16:])
		out = make([]byte, 8)
		order.PutUint32(out, size)
		err = s.d.write(int64(order.Uint64(body[8:])), body[40:40+size])
	case opFsync:
		err = s.d.flush()
	case opFlush, opRelease, opDestroy:
	default:
		s.reply(unique, syscall.ENOSYS, nil)
		return
	}
	if err != nil {
		s.reply(unique, syscall.EIO, nil)
		return
	}
	s.reply(unique, 0, out)
}

func (s *served) reply(unique uint64, failed syscall.Errno, body []byte) {
	out := make([]byte, outHeader, outHeader+len(body))
	order.PutUint32(out[0:], uint32(outHeader+len(body)))
	order.PutUint32(out[4:], uint32(-int32(failed)))
	order.PutUint64(out[8:], unique)
	_, _ = syscall.Write(s.fd, append(out, body...)) // the caller may be gone
}

// attributes returns those of a regular file as large as the device.
func (s *served) attributes() []byte {
	s.d.mu.Lock()
	size := uint64(len(s.d.now)) * blockSize
	s.d.mu.Unlock()
	out := make([]byte, 104)
	attr := out[16:]
	order.PutUint64(attr[0:], 1)
	order.PutUint64(attr[8:], size)
	order.PutUint64(attr[16:], size/sectorSize)
	order.PutUint32(attr[60:], syscall.S_IFREG|0o600)
	order.PutUint32(attr[64:], 1)
	order.PutUint32(attr[80:], blockSize)
	return out
}
