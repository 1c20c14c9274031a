package uploads

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
)

// seal encrypts and opens the pieces of an upload.
type seal struct{ cipher.AEAD }

func newSeal(hallID, id string) (seal, error) {
	key, err := sealingKey(hallID, id)
	if err != nil {
		return seal{}, fmt.Errorf("upload: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return seal{}, fmt.Errorf("upload: %w", err)
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return seal{}, fmt.Errorf("upload: %w", err)
	}
	return seal{gcm}, nil
}

// close encrypts a piece, which can be opened as the same piece only.
func (s seal) close(field string, piece []byte) []byte {
	return s.Seal(nil, nil, piece, []byte(field)) //nolint:gosec // the nonce is random, and Seal makes it
}

func (s seal) open(field string, sealed []byte) ([]byte, error) {
	piece, err := s.Open(nil, nil, sealed, []byte(field))
	if err != nil {
		return nil, fmt.Errorf("upload: piece %s is damaged: %w", field, err)
	}
	return piece, nil
}
