package web

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
)

// GET …/roster/{upload}/refused.csv: every row that cannot be taken, and why.
func (s *Server) getRefusedRows(c echo.Context) error {
	id := c.Param("upload")
	paper, err := s.desk.Paper(c.Request().Context(), c.Param("hall"), id)
	if err != nil {
		return s.rosterRefused(c, id, err)
	}
	var file bytes.Buffer
	if err := records.WriteCSV(&file, refusedTable(paper.Result.Rejected)); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="refused-rows.csv"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", file.Bytes())
}

// refusedTable is what a roster's refused rows are told in.
func refusedTable(rows []hall.RejectedRow) records.Table {
	text := func(text string) records.Cell { return records.Cell{Text: text} }
	return records.Table{
		Title:   "Refused rows",
		Columns: []records.Column{{Name: "row", Kind: records.Number}, {Name: "column"}, {Name: "value"}, {Name: "code"}, {Name: "why"}},
		Rows: func(yield func([]records.Cell, error) bool) {
			for _, r := range rows {
				if !yield([]records.Cell{{Number: float64(r.Row)}, text(r.Column), text(r.Value), text(r.Code), text(r.Message)}, nil) {
					return
				}
			}
		},
	}
}
